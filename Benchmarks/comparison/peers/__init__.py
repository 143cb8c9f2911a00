"""What Headgate is compared with."""

from .headgate import Headgate
from .nginx import Nginx
from .plain import Direct, Relay

# In the order of the tables.
KINDS = {kind.name: kind for kind in (Headgate, Nginx, Relay, Direct)}
