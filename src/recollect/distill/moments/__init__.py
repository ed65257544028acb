"""Moments: sentences that say that something has just happened, in seven languages."""
