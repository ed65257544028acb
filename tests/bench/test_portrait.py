"""The measure of portraits: when a shown part answers, and the comparison with the last sentences."""

from __future__ import annotations

from aforesaid import Memory
from aforesaid.bench.dataset import DatasetQuestion, DatasetSession, Haystack, load_haystack
from aforesaid.bench.portrait import PortraitShares, answers, mean_shares, portrait_shares

MESSAGE = "We had rain all day. My sister Ada moved to Ghent in 2018. What should we cook?"


def question(text: str, answer: str = "", *gold: str) -> DatasetQuestion:
    return DatasetQuestion(text, "single", frozenset(gold), answer)


def test_a_part_answers_with_the_words_that_the_message_shares_with_the_answer():
    asked = question("Where does the sister live?", "In the city of Ghent, since 2018")
    assert answers("My sister Ada moved to Ghent in 2018.", MESSAGE, asked)
    assert answers(MESSAGE, MESSAGE, asked)
    assert not answers("My sister Ada moved to Ghent.", MESSAGE, asked)
    assert not answers("We had rain all day.", MESSAGE, asked)


def test_a_part_answers_with_the_best_sentence_when_no_word_of_the_answer_is_said():
    asked = question("Which city has Ada moved to?", "Gand")
    assert answers("My sister Ada moved to Ghent in 2018.", MESSAGE, asked)
    assert not answers("What should we cook?", MESSAGE, asked)
    assert not answers("What should we cook?", MESSAGE, question("Who?", "Nobody"))
    assert answers(MESSAGE, MESSAGE, question("Who?", "Nobody"))


def test_the_portrait_is_compared_with_the_last_sentences_of_the_user():
    first = {"role": "user", "content": MESSAGE, "id": "a", "at": "2023-05-08T10:00:00+00:00"}
    reply = {"role": "assistant", "content": "Soup, in Ghent.", "id": "b", "at": "2023-05-08T10:01:00+00:00"}
    later = [
        {"role": "user", "content": text, "id": str(number), "at": f"2023-06-08T10:0{number}:00+00:00"}
        for number, text in enumerate(["Thanks, that was good!", "Sounds great, thank you so much.", "Can you help?"])
    ]
    asked = (
        question("Where does Ada live?", "Ghent", "a"),
        question("What should we cook?", "Soup", "b"),
        question("How was it?", "good", "0"),
    )
    haystack = Haystack("kitchen", [DatasetSession("one", [first, reply]), DatasetSession("two", later)], asked)
    with Memory(":memory:", worker=False, embedder="none", environment={}) as memory:
        load_haystack(memory, haystack)
        space = memory.space("kitchen")
        assert portrait_shares(space, haystack, 60) == PortraitShares(2, portrait=0.5, recent=0.5)
        assert portrait_shares(space, haystack, 500).recent == 1.0
        assert portrait_shares(space, haystack, 1) == PortraitShares(2, 0.0, 0.0)


def test_the_mean_of_several_spaces_is_that_of_their_questions():
    shares = [PortraitShares(1, 1.0, 0.0), PortraitShares(3, 0.0, 1.0), PortraitShares(0, 0.0, 0.0)]
    assert mean_shares(shares) == PortraitShares(4, 0.25, 0.75)
    assert mean_shares([]) == PortraitShares(0, 0.0, 0.0)
