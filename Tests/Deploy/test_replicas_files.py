"""The files of deploy/replicas are well formed, as far as this can be checked without a container engine or a
cluster."""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import kubernetes_validate
import pytest
import yaml

from service import HEADGATE, REPOSITORY

REPLICAS = REPOSITORY / "deploy" / "replicas"
# Kubernetes 1.30 introduced preStop's sleep; the other version is the newest one that the package supports.
VERSIONS = ["1.30", "1.37"]
DOCUMENT = (REPOSITORY / "docs" / "scaling.md").read_text()
# Debian installs servers in root's PATH only.
HAPROXY = shutil.which("haproxy", path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin")


def documents(path: Path) -> list:
    return [document for document in yaml.safe_load_all(path.read_text()) if document]


COMPOSE, = documents(REPLICAS / "compose.yaml")
KUSTOMIZATION, = documents(REPLICAS / "kustomization.yaml")
MANIFESTS = [document for name in KUSTOMIZATION["resources"] for document in documents(REPLICAS / name)]
CONFIGURATION, = documents(REPLICAS / "headgate" / "headgate.yaml")


def manifest(kind: str) -> dict:
    found, = (document for document in MANIFESTS if document["kind"] == kind)
    return found


def pod() -> dict:
    return manifest("Deployment")["spec"]["template"]["spec"]


def seconds(text: str) -> int:
    return int(re.fullmatch(r"(\d+)s", text)[1])


@pytest.fixture(scope="module")
def secrets(tmp_path_factory):
    """Runs make-secrets; returns its folder, with the two keys that operators add."""
    folder = tmp_path_factory.mktemp("secrets")
    subprocess.run([REPLICAS / "make-secrets", folder], check=True, timeout=20)
    for name in ("client_key", "upstream_key"):
        (folder / name).write_text("sk-0123456789abcdef01234567\n")
    return folder


def values(secrets: Path) -> dict:
    return dict(line.split("=", 1) for line in (secrets / "gateway.env").read_text().splitlines())


# --- Compose


@pytest.mark.parametrize("name", ["compose.yaml", "replicas/compose.yaml"])
def test_compose_file_is_valid(name):
    command = [Path(sys.executable).parent / "check-jsonschema", "--builtin-schema", "vendor.compose-spec"]
    result = subprocess.run([*command, REPOSITORY / "deploy" / name], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stdout + result.stderr


def test_compose_names_existing_files(secrets):
    mounted = [volume.split(":")[0] for service in COMPOSE["services"].values() for volume in service.get("volumes", [])]
    assert len(mounted) >= 4
    for name in mounted:
        assert name in COMPOSE["volumes"] or (REPLICAS / name).exists(), name
    files = [secret["file"] for secret in COMPOSE["secrets"].values()]
    files += [name for service in COMPOSE["services"].values() for name in service.get("env_file", [])]
    for name in files:
        assert name.startswith("./secrets/") and (secrets / Path(name).name).is_file(), name
    for service in COMPOSE["services"].values():
        assert set(service.get("secrets", [])) <= set(COMPOSE["secrets"])


def test_only_gateways_reach_the_stores():
    services = COMPOSE["services"]
    assert COMPOSE["networks"]["stores"]["internal"]
    for name in ("redis", "postgres"):
        assert services[name]["networks"] == ["stores"] and "ports" not in services[name]
    assert [name for name, service in services.items() if "ports" in service] == ["balancer"]
    assert all(port.startswith("127.0.0.1:") for port in services["balancer"]["ports"])


def test_containers_are_confined_and_contain_no_password():
    for name, service in COMPOSE["services"].items():
        assert service["read_only"] and service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        for variable in service.get("environment", {}):
            assert "PASSWORD" not in variable or variable.endswith("_FILE"), variable


# --- Secrets


def test_secrets_are_private_and_created_once(secrets):
    before = {path.name: path.read_text() for path in secrets.iterdir()}
    for name in ("gateway.env", "gateway_password", "postgres_password", "redis.acl"):
        assert stat.S_IMODE((secrets / name).stat().st_mode) == 0o600, name
    subprocess.run([REPLICAS / "make-secrets", secrets], check=True, timeout=20)
    assert before == {path.name: path.read_text() for path in secrets.iterdir()}
    known = values(secrets)
    assert known["PGPASSWORD"] == before["gateway_password"].strip() != before["postgres_password"].strip()
    assert known["REDIS_PASSWORD"] not in before["redis.acl"]
    assert all(len(password) == 48 for password in known.values())


def test_incomplete_secrets_are_not_regenerated(tmp_path):
    subprocess.run([REPLICAS / "make-secrets", tmp_path], check=True, timeout=20)
    (tmp_path / "redis.acl").unlink()
    result = subprocess.run([REPLICAS / "make-secrets", tmp_path], capture_output=True, text=True, timeout=20)
    assert result.returncode == 1 and "a part of" in result.stderr
    assert not (tmp_path / "redis.acl").exists()


# --- HAProxy


@pytest.mark.skipif(not HAPROXY and not os.environ.get("CI"), reason="haproxy is missing: install Debian's haproxy")
def test_haproxy_accepts_its_configuration():
    addresses = {"BIND": "127.0.0.1:18686", "GATEWAY_1": "127.0.0.1:18687", "GATEWAY_2": "127.0.0.1:18688"}
    result = subprocess.run(
        [HAPROXY, "-c", "-f", REPLICAS / "haproxy.cfg"], capture_output=True, text=True, timeout=20,
        env={"PATH": os.environ["PATH"], **addresses})
    assert result.returncode == 0, result.stdout + result.stderr
    assert "WARNING" not in result.stderr and "ALERT" not in result.stderr, result.stderr


def test_haproxy_lists_the_gateways_of_compose():
    text = (REPLICAS / "haproxy.cfg").read_text()
    named = re.findall(r"presetenv GATEWAY_\d (\S+):8686", text)
    assert named == [name for name, service in COMPOSE["services"].items() if service["image"].startswith("headgate")]
    assert re.search(r"presetenv BIND :8686$", text, re.M)


# --- Kubernetes


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("document", MANIFESTS, ids=lambda document: document["kind"])
def test_manifest_is_valid(document, version):
    kubernetes_validate.validate(document, version, strict=True)


def test_schema_would_find_a_mistake():
    wrong = json.loads(json.dumps(manifest("Deployment")))
    wrong["spec"]["template"]["spec"]["containers"][0]["readynessProbe"] = {}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, VERSIONS[-1], strict=True)


def test_all_manifests_are_listed():
    listed = {REPLICAS / name for name in KUSTOMIZATION["resources"]}
    assert listed == set((REPLICAS / "kubernetes").iterdir())
    assert all((REPLICAS / name).is_file() for map in KUSTOMIZATION["configMapGenerator"] for name in map["files"])


def test_selectors_find_the_pods():
    labels = manifest("Deployment")["spec"]["template"]["metadata"]["labels"]
    for selector in (
        manifest("Deployment")["spec"]["selector"]["matchLabels"], manifest("Service")["spec"]["selector"],
        manifest("PodDisruptionBudget")["spec"]["selector"]["matchLabels"],
        pod()["topologySpreadConstraints"][0]["labelSelector"]["matchLabels"],
    ):
        assert selector.items() <= labels.items()


def test_pod_is_confined_like_the_image():
    text = (REPOSITORY / "Dockerfile").read_text()
    user, group = map(int, re.search(r"^USER (\d+):(\d+)$", text, re.M).groups())
    whole, container = pod()["securityContext"], pod()["containers"][0]["securityContext"]
    assert (whole["runAsUser"], whole["runAsGroup"], whole["fsGroup"], whole["runAsNonRoot"]) == (user, group, group, True)
    assert whole["seccompProfile"] == {"type": "RuntimeDefault"} and not pod()["automountServiceAccountToken"]
    assert container == {
        "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}


def test_ports_are_those_of_the_configuration():
    addresses = [each if isinstance(each, str) else each["address"] for each in CONFIGURATION["listen"]]
    assert [int(address.rpartition(":")[2]) for address in addresses] == [
        port["containerPort"] for port in pod()["containers"][0]["ports"]]


def test_gateway_has_memory_for_its_limits():
    """Applies the formula of docs/scaling.md, without large events and responses."""
    limits = CONFIGURATION["limits"]
    body_memory = int(re.fullmatch(r"(\d+)MiB", limits["body_memory"])[1])
    needed = 20 + limits["connections"] * 592 / 1024 + 2 * body_memory
    assert pod()["containers"][0]["resources"]["limits"]["memory"] == "2Gi"
    assert COMPOSE["services"]["headgate-1"]["mem_limit"] == "2g" and needed < 2048
    # Further connections wait in the balancer instead of being refused.
    maxconn = int(re.search(r" maxconn (\d+)", (REPLICAS / "haproxy.cfg").read_text())[1])
    assert maxconn < limits["connections"] == limits["connections_per_address"]


def test_grace_period_is_longer_than_the_drain():
    drain = seconds(CONFIGURATION["limits"]["drain"])
    container = pod()["containers"][0]
    pause = container["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert pod()["terminationGracePeriodSeconds"] >= pause + drain + 5
    # Requests are no longer routed to the gateway before it stops accepting them.
    probe = container["readinessProbe"]
    assert pause >= probe["periodSeconds"] * probe["failureThreshold"]
    services = COMPOSE["services"]
    stop = int(re.search(r"hard-stop-after (\d+)s", (REPLICAS / "haproxy.cfg").read_text())[1])
    assert seconds(services["headgate-1"]["stop_grace_period"]) >= drain + 5
    assert seconds(services["balancer"]["stop_grace_period"]) > stop > drain


# --- The gateways' configuration


@pytest.mark.parametrize("kind", ["compose", "kubernetes"])
def test_gateways_accept_their_configuration(kind, secrets, tmp_path):
    text = (REPLICAS / "headgate" / "headgate.yaml").read_text()
    assert "/run/secrets/upstream_key" in text
    path = tmp_path / "headgate.yaml"
    path.write_text(text.replace("/run/secrets", str(secrets)))
    if kind == "compose":
        given = COMPOSE["services"]["headgate-1"]["environment"]
    else:
        given = {each["name"]: each["value"] for each in pod()["containers"][0]["env"] if "value" in each}
    names = {"HEADGATE_CONFIG": str(path), "HEADGATE_KEY_FILE": str(secrets / "client_key"), "XDG_DATA_HOME": str(tmp_path)}
    assert names.keys() <= given.keys()
    result = subprocess.run(
        [HEADGATE, "check"], capture_output=True, text=True, timeout=20, env={**given, **names, **values(secrets)})
    assert result.returncode == 0, result.stderr
    assert not any(password in result.stdout + result.stderr for password in values(secrets).values())


def test_configuration_without_a_password_gives_advice(secrets, tmp_path):
    path = tmp_path / "headgate.yaml"
    path.write_text((REPLICAS / "headgate" / "headgate.yaml").read_text().replace("/run/secrets", str(secrets)))
    result = subprocess.run([HEADGATE, "check", "--config", path], capture_output=True, text=True, timeout=20, env={})
    assert result.returncode == 78 and "run deploy/replicas/make-secrets" in result.stderr


def test_document_names_existing_files():
    for name in ("compose.yaml", "haproxy.cfg", "make-secrets", "kustomization.yaml"):
        assert f"deploy/replicas/{name}" in DOCUMENT or f"replicas/{name}" in DOCUMENT, name
    for name in ("client_key", "upstream_key", "postgres_password", "gateway_password", "redis.acl", "gateway.env"):
        assert name in DOCUMENT, name
    secret = {each["valueFrom"]["secretKeyRef"]["key"] for each in pod()["containers"][0]["env"] if "valueFrom" in each}
    keys, = (volume["secret"]["items"] for volume in pod()["volumes"] if "secret" in volume)
    for name in {*secret, *(item["key"] for item in keys)}:
        assert f"{name}=" in DOCUMENT, name
