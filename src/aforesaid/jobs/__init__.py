"""Background jobs: the worker, the pair of workers, and the change notifier."""
