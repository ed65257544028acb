-- name: insert
INSERT INTO messages (space_key, conversation_key, seq, id, role, text, parts, name, tool_calls, tool_call_id,
                      model, importance, tokens, metadata, created_at, utc_offset, first_chunk, last_chunk)
VALUES (:space_key, :conversation_key, :seq, :id, :role, :text, :parts, :name, :tool_calls, :tool_call_id,
        :model, :importance, :tokens, :metadata, :created_at, :utc_offset, :first_chunk, :last_chunk)
RETURNING message_key;
