"""A shop in Flask that keeps its orders in SQLite. The variable BUG plants one bug."""

import logging
import os
import sqlite3
import tempfile
import time

from flask import Flask, jsonify, request
from werkzeug.serving import make_server

BUG = os.environ.get("BUG", "")
RANK = {"failed": 1, "expired": 1, "cancelled": 1, "succeeded": 2, "refunded": 3}
FILE = os.path.join(tempfile.mkdtemp(prefix="psp-flask-"), "shop.db")

app = Flask(__name__)


def connect():
    db = sqlite3.connect(FILE, timeout=30, isolation_level=None)
    db.row_factory = sqlite3.Row
    return db


with connect() as db:
    db.execute("pragma journal_mode = wal")
    db.execute("create table payments (id text primary key, order_id text, amount int, refunded int, status text)")
    db.execute("create table payouts (id text primary key, amount int)")
    db.execute("create table events (id text)")
    db.execute("create table corrections (amount int)")


@app.post("/hooks")
def hooks():
    event = request.get_json()
    data = event["data"]
    db = connect()
    if BUG == "inserts after a check":
        # Two equal requests both pass the check. A busy machine begins the second one within this pause.
        known = db.execute("select count(*) from events where id = ?", (event["id"],)).fetchone()[0]
        time.sleep(0.03)
        db.execute("insert into events values (?)", (event["id"],))
        before = db.execute("select count(*) from events where id = ?", (event["id"],)).fetchone()[0]
        if known == 0 and before > 1 and event["event"] == "payment.succeeded":
            db.execute("insert into corrections values (?)", (data["amount"],))
    db.execute("begin immediate")
    if event["event"].startswith("payout."):
        if event["event"] == "payout.succeeded":
            db.execute("insert or ignore into payouts values (?, ?)", (data["id"], data["amount"]))
    else:
        save_payment(db, event["event"], data)
    db.execute("commit")
    return "", 200


def save_payment(db, name, data):
    known = db.execute("select * from payments where id = ?", (data["id"],)).fetchone()
    if BUG == "ignores early refunds" and name == "payment.refunded" and known is None:
        return
    if BUG == "subtracts the total each time" and name == "payment.refunded" and known and known["refunded"] > 0:
        db.execute("insert into corrections values (?)", (-known["refunded"],))
    status = data["status"]
    if known and RANK[known["status"]] >= RANK[status]:
        status = known["status"]
    refunded = max(known["refunded"] if known else 0, data["amount_refunded"])
    db.execute(
        "insert or replace into payments values (?, ?, ?, ?, ?)",
        (data["id"], data["order_id"], data["amount"], refunded, status),
    )


PAID = "select amount, refunded from payments where status in ('succeeded', 'refunded')"


@app.get("/orders/<path:order>")
def order_of(order):
    db = connect()
    if db.execute("select 1 from payments where order_id = ?", (order,)).fetchone() is None:
        return "", 404
    rows = db.execute(PAID + " and order_id = ?", (order,)).fetchall()
    received = sum(row["amount"] for row in rows)
    refunded = sum(row["refunded"] for row in rows)
    if not rows:
        status = "open"
    elif all(row["refunded"] >= row["amount"] for row in rows):
        status = "refunded"
    else:
        status = "partly_refunded" if refunded else "paid"
    return jsonify(status=status, received=received, refunded=refunded)


@app.get("/balance")
def balance():
    db = connect()
    paid = sum(row["amount"] - row["refunded"] for row in db.execute(PAID))
    out = db.execute("select coalesce(sum(amount), 0) from payouts").fetchone()[0]
    corrections = db.execute("select coalesce(sum(amount), 0) from corrections").fetchone()[0]
    return jsonify(balance=paid - out + corrections)


logging.getLogger("werkzeug").disabled = True
server = make_server("127.0.0.1", 0, app, threaded=True)
print(f"PORT {server.server_port}", flush=True)
server.serve_forever()
