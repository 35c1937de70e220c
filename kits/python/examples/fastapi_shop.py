"""A shop on FastAPI: `python fastapi_shop.py` with the variables of psp, and `PORT` or a free port."""

import contextlib
import os
import socket
from typing import Any

import uvicorn
from fastapi import FastAPI, Request, Response
from orders import Orders
from psp_sandbox import InvalidSignatureError, verify

app = FastAPI()
orders = Orders(os.environ)


@app.post("/orders")
def place(order: dict[str, Any]) -> dict[str, Any]:
    return orders.place(order["id"], order["amount"])


@app.get("/orders/{order_id}")
def get(order_id: str) -> dict[str, Any]:
    return orders.get(order_id)


@app.post("/hooks")
async def hooks(request: Request) -> Response:
    try:
        event = verify(await request.body(), request.headers.get("x-psp-signature"), os.environ["PSP_WEBHOOK_SECRET"])
    except InvalidSignatureError as error:
        return Response(str(error), status_code=400)
    orders.take(event)
    return Response()


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", int(os.environ.get("PORT", "0"))))
    with contextlib.suppress(KeyboardInterrupt):
        print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
