"""A shop on Django: `python django_shop.py` with the variables of psp, and `PORT` or a free port."""

import contextlib
import json
import os
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from orders import Orders
from psp_sandbox import InvalidSignatureError, verify

settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["127.0.0.1"], SECRET_KEY="only for this example")
orders = Orders(os.environ)


def place(request: HttpRequest) -> HttpResponse:
    order = json.loads(request.body)
    return JsonResponse(orders.place(order["id"], order["amount"]))


def get(request: HttpRequest, order_id: str) -> HttpResponse:
    return JsonResponse(orders.get(order_id))


def hooks(request: HttpRequest) -> HttpResponse:
    try:
        event = verify(request.body, request.headers.get("x-psp-signature"), os.environ["PSP_WEBHOOK_SECRET"])
    except InvalidSignatureError as error:
        return HttpResponse(str(error), status=400)
    orders.take(event)
    return HttpResponse()


urlpatterns = [path("orders", place), path("orders/<order_id>", get), path("hooks", hooks)]


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Quiet(WSGIRequestHandler):
    def log_message(self, *words: object) -> None:
        pass


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "0"))
    with (
        make_server("127.0.0.1", port, get_wsgi_application(), Server, Quiet) as server,
        contextlib.suppress(KeyboardInterrupt),
    ):
        print(f"http://127.0.0.1:{server.server_port}", flush=True)
        server.serve_forever()
