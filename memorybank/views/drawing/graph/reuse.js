// A node or an edge that left the picture and comes back the same is taken from here: to build it anew, vis-network copies
// its options deeply, and that is where the time of a leap along the slider goes.
function reuse(graph) {
  const { nodesHandler, edgesHandler } = graph.network;
  const take = (item) => {
    const kept = graph.kept.get(item);
    graph.kept.delete(item);
    return kept?.zoomFactor === graph.zoomFactor ? kept.built : undefined; // else its size is of another zoom
  };
  const newNode = nodesHandler.create.bind(nodesHandler);
  nodesHandler.create = (options, ...rest) => take(graph.nodeById.get(options.id)) ?? newNode(options, ...rest);
  const newEdge = edgesHandler.create.bind(edgesHandler);
  edgesHandler.create = (options, ...rest) => {
    const edge = take(graph.edgeById.get(options.id));
    edge?.connect();
    return edge ?? newEdge(options, ...rest);
  };
}

// Keep what is about to leave the picture; the same item is the same object (`byId`).
function keep(graph, ids, items, built) {
  for (const id of ids) {
    const one = built[id];
    if (!one) continue;
    one.unselect();
    one.hover = false;
    graph.kept.set(items.get(id), { built: one, zoomFactor: graph.zoomFactor });
  }
}
