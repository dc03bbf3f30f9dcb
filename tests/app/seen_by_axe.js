// What axe finds on a page, with all that a rule has to say of other elements than those at which it fails.
async (tries) => {
    const failed = ({ id }) => id === 'error-occurred';
    const stops = ({ nodes }) => nodes.filter(({ any, all, none }) => [...any, ...all, ...none].some(failed));
    const named = ({ target: [path] }, isOften) => isOften && Array.isArray(path) ? [path[0]] : [path];
    const run = async (context, rules) => axe.run(context, { resultTypes: ['violations', 'incomplete'], ...rules });
    const { violations, incomplete } = await run(document);
    for (let rule of incomplete.filter((one) => stops(one).length)) {
      const exclude = [];
      for (let left = tries; rule && stops(rule).length && left; left -= 1) {
        exclude.push(...stops(rule).map((node) => named(node, left <= tries - 3)));
        const again = await run({ exclude }, { runOnly: [rule.id] });
        violations.push(...again.violations);
        rule = again.incomplete[0];
      }
      if (rule && stops(rule).length) violations.push({ ...rule, impact: 'critical' });
    }
    return violations;
}
