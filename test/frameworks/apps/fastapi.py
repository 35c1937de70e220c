import json
import os
import socket

import uvicorn
from fastapi import FastAPI, Request, Response

# VERIFY

app = FastAPI()


@app.post("/hooks")
async def hooks(request: Request):
    raw_body = RAW_BODY
    if not verify(raw_body, request.headers.get("X-PSP-Signature"), os.environ["SECRET"]):
        return Response("invalid signature", 400)
    # A body that is not JSON raises: uvicorn responds 500 and closes the connection without announcing it.
    json.loads(raw_body)
    return "ok"


listening = socket.create_server(("127.0.0.1", 0))
print(f"PORT {listening.getsockname()[1]}", flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listening])
