"""What is said in the demo: a trip is planned, a bug is found, and something is said that shall be forgotten."""

SPACE = "demo"
TRIP = "lisbon"
BUG = "import-bug"
BUDGET = "The whole trip must cost less than 900 €."
SECRET = "My sister Zephyrine has moved to Quimperlé."

Said = tuple[str, str, str]  # conversation, role, text

STORY: tuple[Said, ...] = (
    (TRIP, "user", "We settled on Lisbon: out on 3 May, home on the 10th."),
    (TRIP, "assistant", "Lovely. Shall I look for a quiet flat in Alfama or in Graça?"),
    (TRIP, "user", "In Graça, please. On flights I sit by the window, never on the aisle. I'm allergic to peanuts."),
    (TRIP, "user", "ホテルは駅の近くで、朝食付きがいいです。"),
    (TRIP, "user", BUDGET),
    (TRIP, "assistant", "Then the train to Sintra beats a rental car: 5 € there and back."),
    (BUG, "user", "The nightly job dies with TimeoutError in fetch_invoices() for our largest customer."),
    (
        BUG,
        "assistant",
        "It asks for all rows at once. Read them page by page:\n\n"
        "```python\n"
        "def fetch_invoices(customer, page_size=250):\n"
        "    for page in pages(customer, page_size):\n"
        "        yield from page\n"
        "```",
    ),
    (BUG, "user", "That was it: 40 seconds instead of a crash. Deployed."),
)

QUESTIONS: tuple[tuple[str, str], ...] = (
    ("how much money can we spend?", "by meaning alone: no word of it is in the answer"),
    ("where do I like to sit when I fly?", "by meaning and by the one word they share"),
    ("fetch_invoices", "by its name: who ran into it, and the code that mends it"),
    ("駅の近くのホテル", "in Japanese: a hotel near the station"),
)

PYTHON = f'''\
from recollect import Memory

with Memory("app.db") as memory:  # one SQLite file; no key, no server
    chat = memory.space("{SPACE}").conversation("{TRIP}")
    message = chat.add("user", "{BUDGET}")
    chat.pin(message)  # kept in view until unpin
    memory.flush()  # wait for the vectors; words are found at once
    for hit in chat.recall("how much money can we spend?", limit=3):
        print(f"{{hit.score.total:.2f}}", hit.text)
'''
