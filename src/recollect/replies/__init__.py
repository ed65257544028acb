"""What a model's answer says, streamed or whole, in each of the three wires. Pure: bytes and JSON in, a Reply out."""
