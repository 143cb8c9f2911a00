"""LiteLLM's proxy, in Python."""

import json
import os
import secrets

from .proxy import Proxy, free_port


class LiteLLM(Proxy):
    """One worker, no database, one client key, which LiteLLM requires, and its own access log in a file."""

    name = "litellm"
    title = "LiteLLM"
    rewrites_json = True
    share = 1 / 50
    leaves_out = {
        "paced-1000": "a thousand paced streams are many times what one worker can do",
        "paced-5000": "a thousand paced streams are many times what one worker can do",
        "held-5000": "a thousand paced streams are many times what one worker can do",
    }

    def __init__(self, binary, folder, setting):
        super().__init__(binary, folder, setting)
        self.port = free_port()
        self.key = f"sk-{secrets.token_urlsafe(24)}"
        upstream = {"model": "openai/mock", "api_base": f"http://{self.upstream}/v1", "api_key": "sk-bench"}
        # JSON is also valid YAML.
        (folder / "litellm.yaml").write_text(json.dumps(
            {"model_list": [{"model_name": "mock", "litellm_params": upstream}],
             "litellm_settings": {"telemetry": False, "num_retries": 0}}))
        self.start(
            binary, "--config", folder / "litellm.yaml", "--host", "127.0.0.1", "--port", self.port, "--num_workers",
            setting.loops, gathers_output=True,
            environment={
                "HOME": str(folder), "PATH": f"{binary.parent}:{os.environ.get('PATH', '')}", "LITELLM_LOG": "ERROR",
                "LITELLM_MASTER_KEY": self.key,
                # Without this variable, LiteLLM fetches a list of prices at its start.
                "LITELLM_LOCAL_MODEL_COST_MAP": "True"})
        self.wait_for_port(120)
