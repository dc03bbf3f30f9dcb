"""Any loop of your own: ask for the prompt before a turn, hand in the answer after. Here with the `openai` package."""

from openai import OpenAI
from setting import QUESTION, REPORT, SOURCES, endpoint, run_folder, settings

from memorybank.integrations.turns import Turns

folder = run_folder("plain_loop")
with endpoint() as model, Turns.start(folder, QUESTION, sources=SOURCES, settings=settings(folder)) as turns:
    client = OpenAI(base_url=model.base_url, api_key=model.api_key)
    while prompt := turns.enhance_prompt():
        messages = [{"role": "user", "content": f"{prompt}\n\nFound on the web (report.md):\n{REPORT}"}]
        reply = client.chat.completions.create(model=model.model, messages=messages)
        turns.intercept(reply.choices[0].message.content or "", sources={"report.md": REPORT})
    print(turns.answer)
