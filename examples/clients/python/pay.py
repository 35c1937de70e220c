"""Creates a payment with the client that openapi-python-client generated, and prints its id."""

import os

from psp_public.api.payments import create_payment
from psp_public.client import AuthenticatedClient
from psp_public.models import CreatedPayment, CreatePayment

client = AuthenticatedClient(base_url=os.environ["PSP_URL"], token=os.environ["PSP_API_KEY"])
created = create_payment.sync(client=client, body=CreatePayment(amount=150_000))
assert isinstance(created, CreatedPayment), created
print(created.payment.id)
