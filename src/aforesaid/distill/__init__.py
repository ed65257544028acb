"""Background extraction from stored messages: facts, episodes, summaries, pins. Every step works without a language
model and gives better results with one.
"""
