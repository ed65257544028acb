"""The memory proxy at /v1: forwards requests to a model API, adds recalled memory, and stores both sides."""
