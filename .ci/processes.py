"""A server of OGC API Processes, whose processes run as jobs, for the tests of long-running operations.

    python processes.py 19133 folder

It is pygeoapi with its own process "echo", which waits and returns what it got.
"""
import os
import pathlib
import sys

import yaml

port, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
configuration = {
    "server": {
        "bind": {"host": "127.0.0.1", "port": int(port)},
        "url": f"http://127.0.0.1:{port}",
        "mimetype": "application/json; charset=UTF-8",
        "encoding": "utf-8",
        "languages": ["en-US"],
        "map": {"url": "https://example.org/{z}/{x}/{y}.png", "attribution": ""},
        "manager": {"name": "TinyDB", "connection": str(folder / "jobs.db"), "output_dir": str(folder)},
    },
    "logging": {"level": "ERROR"},
    "metadata": {
        "identification": {"title": "t", "description": "d", "keywords": ["k"], "keywords_type": "theme",
                           "terms_of_service": "https://example.org", "url": "https://example.org"},
        "license": {"name": "none", "url": "https://example.org"},
        "provider": {"name": "p", "url": "https://example.org"},
        "contact": {"name": "n", "email": "n@example.org", "url": "https://example.org"},
    },
    "resources": {"echo": {"type": "process", "processor": {"name": "Echo"}}},
}
(folder / "configuration.yml").write_text(yaml.safe_dump(configuration))
os.environ["PYGEOAPI_CONFIG"] = str(folder / "configuration.yml")
os.environ["PYGEOAPI_OPENAPI"] = str(folder / "openapi.json")

from pygeoapi.openapi import generate_openapi_document  # noqa: E402

with open(folder / "configuration.yml") as file:
    (folder / "openapi.json").write_text(generate_openapi_document(file, "json"))

import waitress  # noqa: E402
from pygeoapi.flask_app import APP  # noqa: E402

waitress.serve(APP, host="127.0.0.1", port=int(port), threads=8)
