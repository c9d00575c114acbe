"""Scans a demo shop; scripts/test-sqlmap says what for."""

import concurrent.futures
import dataclasses
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request

import vulnerable
from description import Description, without
from scanner import Request, scan

SHOP = os.environ["SHOP_URL"]
ONLY = sys.argv[1] if len(sys.argv) > 1 else ""
# The accounts of every demo.
PASSWORD = "demo-password"
ROLES = {"visitor": None, "customer": "customer@example.com", "admin": "admin@example.com"}
# A run that tries less has not understood the description.
LEAST_MARKS = 350
# In all, in minutes.
LONGEST = int(os.environ.get("SQLMAP_MINUTES", "60"))
# Two at a time: the shop and its database have something to do as well.
WORKERS = 2


def call(method, path, body=None, headers=None):
    """The status, the body and the headers of an answer."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SHOP + path, data, {"Content-Type": "application/json", **(headers or {})}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read(), answer.headers
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read(), refused.headers


class Shop:
    """Sessions of the roles, and what there is to be named."""

    def __init__(self):
        self.cookies = {}
        for role, email in ROLES.items():
            if email:
                _, _, headers = call("POST", "/auth/login", {"email": email, "password": PASSWORD})
                self.cookies[role] = "; ".join(cookie.split(";")[0] for cookie in headers.get_all("Set-Cookie"))

    def headers(self, role):
        """A fresh token and the session: tokens live a quarter of an hour."""
        if not ROLES[role]:
            return {}
        _, body, _ = call("PUT", f"/user/{ROLES[role]}", {}, {"Cookie": self.cookies[role]})
        return {"Authorization": f"Bearer {json.loads(body)['token']}", "Cookie": self.cookies[role]}

    def ids(self):
        """Of a product and of an order of the customer, which is placed here."""
        headers = self.headers("customer")
        product = json.loads(call("GET", "/products?limit=1")[1])[0]["_id"]
        order = {"productId": product, "name": "A Buyer", "quantity": 50, "address": "1 Lane", "phone": "555 0100"}
        placed = json.loads(call("POST", "/orders", order, headers)[1])
        known = {"productId": product, "product": product, "products/id": product, "any": product}
        return {**known, "orders/id": placed.get("_id") or placed["insertedId"], "user/email": "somebody@example.com"}


def figures():
    """How many answers there were by status, and how often a connection to the database was taken for a request."""
    _, body, _ = call("GET", "/metrics")
    statuses, taken = {}, 0.0
    for line in body.decode().splitlines():
        if line.startswith("http_requests_total{"):
            status = re.search(r'status="(\d+)"', line).group(1)
            statuses[status] = statuses.get(status, 0) + float(line.rsplit(" ", 1)[1])
        elif line.startswith("database_wait_seconds_count{") and 'lane="health"' not in line:
            taken += float(line.rsplit(" ", 1)[1])
    return statuses, taken


def plain(request):
    """The status and the body of the answer to a request without its marks."""
    body = json.loads(request.body.replace("*", "")) if request.body else None
    return call(request.method, request.url.replace("*", "").removeprefix(SHOP), body, request.headers)[:2]


def acceptable(request):
    """The request without what is refused of its body, and whether it is looked at then: neither unreadable nor invalid."""
    for _ in range(4):
        status, answer = plain(request)
        if status not in (400, 422) or not request.body:
            break
        places = [one["field"] for one in json.loads(answer).get("errors", [])]
        fewer = json.dumps(without(json.loads(request.body), places))
        if fewer == request.body:
            break
        request = dataclasses.replace(request, body=fewer)
    return request, status


def wanted(description, shop):
    """Each request as those who are served: a GET by each of them, anything else by whoever has the fewest rights; with whether it
    is looked at as it is."""
    for method, path, operation in description.operations():
        if ONLY and ONLY not in operation["operationId"]:
            continue
        open_to_all = not operation.get("security")
        for role in ROLES if open_to_all else list(ROLES)[1:]:
            served = False
            for whole in description.requests(SHOP, method, path, operation, shop.headers(role)):
                request, status = acceptable(whole)
                served = status not in (401, 403)
                if served:
                    yield role, request, status not in (400, 422)
            if served and (method != "get" or open_to_all):
                break
    if not ONLY:
        for role, request in in_headers(shop):
            yield role, request, True


def in_headers(shop):
    """What is kept or looked up of a header."""
    signed = shop.headers("customer")
    body = json.dumps({"name": "A list", "lines": []})
    yield "customer", Request("key of a repetition", "POST", f"{SHOP}/lists", {**signed, "Idempotency-Key": "abc*"}, body)
    yield "customer", Request("token", "GET", f"{SHOP}/orders", {"Authorization": "Bearer abc*"})
    name, _, value = signed["Cookie"].split("; ")[0].partition("=")
    yield "customer", Request("session", "GET", f"{SHOP}/auth/me", {"Cookie": f"{name}={value}*"})
    yield "visitor", Request("browser", "POST", f"{SHOP}/auth/login", {"User-Agent": "abc*"}, json.dumps({"email": "a@b.co", "password": "x"}))


def planted():
    """What the scanner overlooks of what is planted, and what it imagines."""
    with vulnerable.served() as address:
        expected = {
            Request("path", "GET", f"{address}/path/disc*", {}): "found",
            Request("query", "GET", f"{address}/query?name=disc*", {}): "found",
            Request("body", "POST", f"{address}/body", {}, '{"name": "disc*"}'): "found",
            Request("sound query", "GET", f"{address}/sound?name=disc*", {}): "nothing",
        }
        for request, answer in expected.items():
            found, said = scan(request)
            print(f"planted {request.name}: {found}", flush=True)
            if found != answer:
                yield f"of the planted {request.name} the scanner says {found}: {said[-1500:]}"


def report(complaints, before, tried, began):
    """What a run that tried everything counted; and what makes it none."""
    (old, old_taken), (new, taken) = before, figures()
    statuses = {status: int(count - old.get(status, 0)) for status, count in new.items() if count > old.get(status, 0)}
    requests, refused = sum(statuses.values()), sum(statuses.get(status, 0) for status in ("401", "403", "429"))
    marks, looked_at = sum(request.marks for _, request, _ in tried), sum(each for *_, each in tried)
    minutes = (time.monotonic() - began) / 60
    print(f"{marks} texts in {len(tried)} calls tried with {requests} requests in {minutes:.0f} min; {looked_at} of the calls are valid as they are")
    print("answers by status: " + ", ".join(f"{status} {count}" for status, count in sorted(statuses.items())))
    print(f"{int(taken - old_taken)} times a connection of the database was taken for these requests", flush=True)
    if ONLY:
        return
    if marks < LEAST_MARKS:
        complaints.append(f"only {marks} texts were tried")
    if looked_at < len(tried) * 2 / 3:
        complaints.append(f"only {looked_at} of {len(tried)} calls are looked at: the others are refused as they are")
    if refused > requests / 20:
        complaints.append(f"{refused} of {requests} requests were refused before they were looked at")
    if taken - old_taken < requests / 10:
        complaints.append("too few of the requests got to the database")
    if statuses.get("500"):
        complaints.append(f"{statuses['500']} answers were a 500")


def main():
    complaints = list(planted())
    began, before, shop = time.monotonic(), figures(), Shop()
    description = Description(json.loads(call("GET", "/openapi.json")[1]), shop.ids())
    tried = []

    def one(role, request, valid):
        if time.monotonic() - began > LONGEST * 60:
            return role, request, valid, "broken", f"there were only {LONGEST} minutes"
        return role, request, valid, *scan(request)

    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        waiting = set()
        everything = wanted(description, shop)
        while True:
            # Asked for only now, so that its token is fresh.
            for role, request, valid in everything:
                waiting.add(pool.submit(one, role, request, valid))
                if len(waiting) >= WORKERS:
                    break
            if not waiting:
                break
            done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for role, request, valid, found, said in (each.result() for each in done):
                tried.append((role, request, valid))
                print(f"{request.name} as {role}: {found}{'' if valid else ', refused as it is'}", flush=True)
                if found != "nothing":
                    complaints.append(f"{request.name} as {role}: {found}: {said[-2500:]}")
    report(complaints, before, tried, began)
    for complaint in complaints:
        print(f"test-sqlmap: {complaint}", file=sys.stderr)
    print("nothing can be injected" if not complaints else f"  {len(complaints)} failed")
    sys.exit(1 if complaints else 0)


main()
