"""The clients, by their dialect."""

import dialects.chat.client
import dialects.messages.client
import dialects.responses.client

_MODULES = (dialects.chat.client, dialects.messages.client, dialects.responses.client)
CLIENTS = {module.Client.dialect: module.Client for module in _MODULES}
