"""Slow work on what came in: summaries, facts, episodes, pins. None of it needs a model; all gets better with one."""
