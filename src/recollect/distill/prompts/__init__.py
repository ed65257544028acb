"""What a language model is asked. What was said is given to it as quoted data, never as part of the instructions."""
