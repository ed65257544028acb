"""Finds the messages and notes that answer a query. `recall` runs the steps in this order:

1. `query` parses the text, and `candidates` embeds it.
2. `filters` selects the messages that may match.
3. `candidates` scores all of them, by BM25 (`bm25`) and by vector similarity.
4. `scoring` adds the parts that need no text (`intent`: speaker and time), and `fuse` makes one score of all parts.
5. `rerank` reads the text of the best messages and completes their scores.
6. `notes` finds pins, facts, episodes, summaries and profile fields, and `merge` makes one list.
"""
