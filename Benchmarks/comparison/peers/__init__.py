"""The proxies that Headgate is compared with."""

from .envoy import Envoy
from .haproxy import HAProxy
from .headgate import Headgate
from .litellm import LiteLLM
from .nginx import Nginx
from .plain import Direct, Relay
from .smg import Smg

# The proxies, in the order of the tables.
KINDS = {kind.name: kind for kind in (Headgate, Nginx, HAProxy, Envoy, Smg, LiteLLM, Relay, Direct)}
