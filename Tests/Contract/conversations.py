"""The conversations of the document's examples, written to the gateway's file as if they had been created earlier."""

import sqlite3

CONVERSATION_ID = "conv_hg00000000000000000000000000000001"
# The id of a conversation that is deleted repeatedly.
DELETED_ID = "conv_hg00000000000000000000000000000002"
_MESSAGE = b'{"type":"message","role":"user","status":"completed","content":[{"type":"input_text","text":"Say hello."}]}'
_LAST_SECOND = 1 << 40


def put_back(file):
    """Creates the conversations that are missing. A running gateway serves them to an administrator's key."""
    with sqlite3.connect(file, timeout=20) as database:
        for conversation in (CONVERSATION_ID, DELETED_ID):
            database.execute(
                "INSERT INTO conversations (id, owner, created, metadata, version, kept_until, octets) "
                "VALUES (?, ?, 1700000000, ?, 0, ?, 0) ON CONFLICT DO NOTHING",
                [conversation, b"contract", b"{}", _LAST_SECOND])
        for item in ("msg_1", "msg_2"):
            database.execute(
                "INSERT INTO items (conversation, id, octets, members) "
                "SELECT number, ?, 0, ? FROM conversations WHERE id = ? ON CONFLICT DO NOTHING",
                [item, _MESSAGE, CONVERSATION_ID])
    database.close()
