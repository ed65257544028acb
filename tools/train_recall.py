"""Trains the learned fusion of recall: writes src/aforesaid/recall/fusion.json, and prints the constants of fuse.py.

    uv run --with catboost python tools/train_recall.py longmemeval_dev60.json.gz longmemeval_dev55.json.gz

It trains on the project's own corpus and on the LongMemEval files that you name. LoCoMo and BEAM measure the result
(`aforesaid bench`); their licences do not allow training. Each dialogue of the corpus is asked three times: alone,
together with others in one space, and cut to the few messages of a new store. Questions whose answer was cut away,
questions without an answer, and questions to other spaces teach the fusion that nothing is there.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aforesaid import Memory
from aforesaid.bench import longmemeval, own
from aforesaid.bench.dataset import DatasetQuestion, DatasetSession, FixedClock, Haystack, load_haystack
from aforesaid.bench.refit import FeatureRecorder
from aforesaid.ports import RerankRequest
from aforesaid.recall.answerable import WEIGHTS, question_features
from aforesaid.recall.learned_fusion import TOTAL, LearnedFusion

TARGET = Path(__file__).parents[1] / "src/aforesaid/recall/fusion.json"
POOLED = 5  # chats with an assistant in one space
WINDOWS = 24  # of each dialogue
SMALLEST, LARGEST = 4, 40  # messages of a window
FEWEST_FOREIGN = 2  # questions to other spaces, at least
ABSENT = 2  # questions of a window that it does not answer
UNUSED_JOBS = {"facts": False, "episodes": False, "auto_pins": False, "summaries": "off"}
LEVELS, TREES, RATE, SEED = 3, 240, 0.08, 0
STEEPER = 1.3  # than the fitted curve of the total; the trees correct it
SHARE = 0.7  # of the trees' corrections that is used: less fits the corpus worse and other chats better
NOT_USED = {"salience"}  # with it, LoCoMo rises by .002 and BEAM's evidence in 1,000 tokens falls by .04
CHAT_SHARE = 4.0  # a question to a chat of LongMemEval counts as so many to the corpus for answerable.py
DIGITS = 5
RISING = {  # features that never lower the relevance
    "part_dense", "part_lexical", "part_identifier", "part_speaker", "part_time", "dense", "dense_gap", "lexical_own",
    "lexical_pair", "lexical_window", "total", "total_gap", "total_share",
}  # fmt: skip
FALLING = {"rank", "dense_rank", "lexical_rank", "window_rank"}  # features that never raise it


@dataclass(frozen=True, slots=True, eq=False)
class TrainingSet:
    """One row for each candidate of each question."""

    names: Sequence[str]
    features: NDArray[np.float64]
    relevant: NDArray[np.bool_]


def main(paths: Sequence[str]) -> None:
    corpus = own.load()
    chats = [longmemeval.haystack(record) for path in paths for record in longmemeval.load(Path(path))]
    haystacks = with_foreign_questions([*corpus, *pools(corpus), *windows(corpus), *chats])
    training = training_set(haystacks)
    slope, centre = relevance_curve(training)
    table = shrunk(train(training, STEEPER * slope, -STEEPER * slope * centre))
    TARGET.write_text(json.dumps(table, separators=(",", ":")) + "\n", "utf-8")
    print(f"{len(haystacks)} spaces, {len(training.relevant):,} candidates, {int(training.relevant.sum()):,} relevant")
    print(f"written: {TARGET}; RELEVANCE_SLOPE, RELEVANCE_CENTRE = {slope:.2f}, {centre:.3f}")
    print(f"WEIGHTS, BIAS of answerable.py = {answerable_weights(corpus, chats, LearnedFusion(table))}")


def with_foreign_questions(haystacks: Sequence[Haystack]) -> list[Haystack]:
    """The haystacks, each with questions to others as well, which it cannot answer."""
    chance = random.Random(SEED)
    asked = [(haystack.space, question) for haystack in haystacks for question in haystack.questions if question.gold]
    return [replace(one, questions=[*one.questions, *_foreign(one, asked, chance)]) for one in haystacks]


def _foreign(
    haystack: Haystack, asked: Sequence[tuple[str, DatasetQuestion]], chance: random.Random
) -> Iterator[DatasetQuestion]:
    own_questions = {question.text for question in haystack.questions}
    for space, question in chance.sample(asked, max(FEWEST_FOREIGN, len(haystack.questions) // 2)):
        if question.text not in own_questions and space.split()[0] != haystack.space.split()[0]:
            yield DatasetQuestion(question.text, "none", frozenset())


def pools(corpus: Sequence[Haystack]) -> Iterator[Haystack]:
    """Spaces that hold several chats with an assistant, as one person has them."""
    chats = [haystack for haystack in corpus if haystack.space.startswith("assistant_")]
    random.Random(SEED).shuffle(chats)
    for number, start in enumerate(range(0, len(chats), POOLED)):
        group = chats[start : start + POOLED]
        renamed = [_with_prefix(haystack) for haystack in group]
        sessions = sorted((each for one in renamed for each in one.sessions), key=lambda each: each.messages[0]["at"])
        questions = [question for one in renamed for question in one.questions]
        yield Haystack(f"pool {number}", sessions, questions, max(one.now for one in group if one.now))


def _with_prefix(haystack: Haystack) -> Haystack:
    tag = haystack.space
    sessions = [
        DatasetSession(f"{tag} {each.id}", [{**one, "id": f"{tag} {one['id']}"} for one in each.messages])
        for each in haystack.sessions
    ]
    questions = [replace(each, gold=frozenset(f"{tag} {id}" for id in each.gold)) for each in haystack.questions]
    return replace(haystack, sessions=sessions, questions=questions)


def windows(corpus: Sequence[Haystack]) -> Iterator[Haystack]:
    """New stores: a few messages around the answer of a question, and all questions that they answer."""
    chance = random.Random(SEED)
    for haystack in corpus:
        for number in range(WINDOWS):
            yield replace(_window(haystack, chance), space=f"{haystack.space} {number}")


def _window(haystack: Haystack, chance: random.Random) -> Haystack:
    session_of, messages = haystack.session_of(), list(haystack.messages())
    answerable = [question for question in haystack.questions if question.gold]
    answer = chance.choice(sorted(chance.choice(answerable).gold))
    size = round(SMALLEST * (LARGEST / SMALLEST) ** chance.random())
    at = next(place for place, message in enumerate(messages) if message["id"] == answer)
    start = max(0, at - chance.randrange(size))
    kept = messages[start : start + size]
    ids = {message["id"] for message in kept}
    sessions: dict[str, list[Mapping[str, str]]] = {}
    for message in kept:
        sessions.setdefault(session_of[message["id"]], []).append(message)
    answered = [question for question in answerable if question.gold <= ids]
    absent = [question for question in haystack.questions if not question.gold & ids]
    questions = answered + [
        DatasetQuestion(each.text, "none", frozenset()) for each in chance.sample(absent, min(ABSENT, len(absent)))
    ]
    return replace(haystack, sessions=[DatasetSession(*each) for each in sessions.items()], questions=questions)


def training_set(haystacks: Sequence[Haystack]) -> TrainingSet:
    names: list[str] = []
    features, relevant = [], []
    for number, haystack in enumerate(haystacks, 1):
        for question, request in _recorded(haystack):
            gold = {message["content"] for message in haystack.messages() if message["id"] in question.gold}
            names = [name for name in request.features if name not in NOT_USED]
            features.append(np.column_stack([request.features[name] for name in names]))
            relevant.append(np.array([text in gold for text in request.texts]))
        print(f"\r{number} of {len(haystacks)} spaces", end="", file=sys.stderr)
    return TrainingSet(names, np.vstack(features), np.concatenate(relevant))


def _recorded(haystack: Haystack) -> Iterator[tuple[DatasetQuestion, RerankRequest]]:
    recorder = FeatureRecorder()
    with Memory(":memory:", worker=False, reranker=recorder, clock=FixedClock(haystack.now)) as memory:
        space = memory.space(haystack.space)
        for setting, value in UNUSED_JOBS.items():
            space.set(setting, value)
        load_haystack(memory, haystack)
        for question in haystack.questions:
            space.recall(question.text)
            if recorder.requests:
                yield question, recorder.requests.pop()


def train(training: TrainingSet, slope: float, bias: float) -> dict[str, Any]:
    """The trees that correct the curve of the total, in the format of LearnedFusion."""
    from catboost import CatBoostClassifier, Pool

    curve = slope * training.features[:, training.names.index(TOTAL)] + bias
    pool = Pool(training.features, training.relevant.astype(int), baseline=curve)
    model = CatBoostClassifier(
        iterations=TREES,
        depth=LEVELS,
        learning_rate=RATE,
        l2_leaf_reg=5,
        rsm=0.5,
        bootstrap_type="Bernoulli",
        subsample=0.7,
        border_count=64,
        boosting_type="Plain",
        random_seed=SEED,
        thread_count=1,
        verbose=False,
        allow_writing_files=False,
        monotone_constraints=[(name in RISING) - (name in FALLING) for name in training.names],
    ).fit(pool)
    path = TARGET.with_suffix(".tmp")
    model.save_model(str(path), format="json")
    trees = json.loads(path.read_text("utf-8"))
    path.unlink()
    table = _table(trees, training.names) | {"slope": slope, "bias": bias}
    ours = LearnedFusion(table).probabilities(
        training.features[:, [training.names.index(n) for n in table["features"]]]
    )
    theirs = 1 / (1 + np.exp(-model.predict(training.features, prediction_type="RawFormulaVal") - curve))
    assert np.abs(ours - theirs).max() < 1e-3, "the table is not the model"
    return table


def shrunk(table: dict[str, Any]) -> dict[str, Any]:
    return table | {"leaves": [[round(SHARE * value, DIGITS) for value in leaves] for leaves in table["leaves"]]}


def _table(model: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Only the features that a tree uses."""
    trees = [tree for tree in model["oblivious_trees"] if len(tree["splits"]) == LEVELS]
    assert len(trees) == len(model["oblivious_trees"]), "a tree has fewer levels"
    used = sorted({split["float_feature_index"] for tree in trees for split in tree["splits"]} | {names.index(TOTAL)})
    place = {feature: at for at, feature in enumerate(used)}
    scale, (bias,) = model["scale_and_bias"]
    assert bias == 0, "the curve is the bias"
    return {
        "features": [names[feature] for feature in used],
        "split_features": [[place[split["float_feature_index"]] for split in tree["splits"]] for tree in trees],
        "split_borders": [[split["border"] for split in tree["splits"]] for tree in trees],
        "leaves": [[round(scale * value, DIGITS) for value in tree["leaf_values"]] for tree in trees],
    }


def answerable_weights(
    corpus: Sequence[Haystack], chats: Sequence[Haystack], fusion: LearnedFusion
) -> tuple[dict[str, float], float]:
    """The logistic function that tells the questions to a space from the questions to others. Near misses, which ask
    for what the people of a space did not say, take no part: these features do not tell them apart."""
    rows, answered, counts = [], [], []
    for share, haystacks in ((1.0, corpus), (CHAT_SHARE, chats)):
        own_questions = {(one.space, question.text) for one in haystacks for question in one.questions}
        for haystack in with_foreign_questions(haystacks):
            for question, request in _recorded(haystack):
                if question.gold or (haystack.space, question.text) not in own_questions:
                    rows.append(question_features(request.features, np.array(fusion.rerank(request))))
                    answered.append(float(bool(question.gold)))
                    counts.append(share)
    features, target, count = np.array(rows), np.array(answered), np.array(counts)
    mean, deviation = features.mean(axis=0), features.std(axis=0)
    matrix = np.column_stack([(features - mean) / deviation, np.ones(len(features))])
    weights = np.zeros(matrix.shape[1])
    for _ in range(30):
        predicted = 1 / (1 + np.exp(-matrix @ weights))
        curvature = matrix.T @ (matrix * (count * predicted * (1 - predicted))[:, None]) + np.eye(len(weights))
        weights += np.linalg.solve(curvature, matrix.T @ (count * (target - predicted)) - weights)
    scaled = weights[:-1] / deviation
    named = dict(zip(WEIGHTS, (round(float(each), 2) for each in scaled), strict=True))
    return named, round(float(weights[-1] - scaled @ mean), 2)


def relevance_curve(training: TrainingSet) -> tuple[float, float]:
    """The logistic function of the weighted total that fits best, by Newton's method."""
    total = training.features[:, training.names.index(TOTAL)]
    matrix, target = np.column_stack([total, np.ones(len(total))]), training.relevant.astype(np.float64)
    weights = np.zeros(2)
    for _ in range(30):
        predicted = 1 / (1 + np.exp(-matrix @ weights))
        curvature = matrix.T @ (matrix * (predicted * (1 - predicted))[:, None])
        weights += np.linalg.solve(curvature, matrix.T @ (target - predicted))
    return float(weights[0]), float(-weights[1] / weights[0])


if __name__ == "__main__":
    main(sys.argv[1:])
