import json
import os
from wsgiref.simple_server import WSGIRequestHandler, make_server

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

# VERIFY


@csrf_exempt
def hooks(request):
    raw_body = RAW_BODY
    if not verify(raw_body, request.headers.get("X-PSP-Signature"), os.environ["SECRET"]):
        return HttpResponse("invalid signature", status=400)
    json.loads(raw_body)
    return HttpResponse("ok")


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


urlpatterns = [path("hooks", hooks)]
settings.configure(ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=__name__, SECRET_KEY="test", LOGGING_CONFIG=None)
server = make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet)
print(f"PORT {server.server_port}", flush=True)
server.serve_forever()
