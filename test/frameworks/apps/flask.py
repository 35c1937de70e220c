import json
import os

from flask import Flask, request
from werkzeug.serving import make_server

# VERIFY

app = Flask(__name__)


@app.post("/hooks")
def hooks():
    raw_body = RAW_BODY
    if not verify(raw_body, request.headers.get("X-PSP-Signature"), os.environ["SECRET"]):
        return "invalid signature", 400
    json.loads(raw_body)
    return "ok"


server = make_server("127.0.0.1", 0, app, threaded=True)
print(f"PORT {server.server_port}", flush=True)
server.serve_forever()
