"""Builds the messages that a model receives, in five steps:

1. `gather` reads the material from the store. The other steps are pure.
2. `strategies` selects the items of the `plan`, by the recipe. `stable_history` finds the start of the history, which
   moves rarely; `pack_quotes` finds the quotes that fit.
3. `fit` removes items, and truncates texts as a last resort, until the plan fits into `max_tokens`.
4. `order` puts the items into chat turns. `render` writes the text of each section.
5. `build` runs steps 2 to 4, and adds the `receipt`.
"""
