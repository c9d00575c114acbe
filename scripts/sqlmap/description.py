"""What the API description lets somebody send, with a mark on every text."""

import json

from scanner import Request

# What has its own way to be asked, ends the session of the run, or is no part of a shop but of its demo.
LEFT_OUT = {"logOut", "endOtherSessions", "changePassword", "revokeAdmin"}
# Texts that are judged before anything else is looked at: one that passes, so that the rest is.
SAMPLES = {
    "country": "DE",
    "postcode": "10115",
    "city": "Berlin",
    "line1": "Street 1",
    "email": "customer@example.com",
    "emails": "customer@example.com",
    "phone": "555 0100",
    "url": "https://hooks.example.com/x",
    "validFrom": "2026-01-01",
    "validUntil": "2030-01-01",
    "from": "2026-01-01",
    "to": "2026-12-31",
    "until": "2026-12-31",
    "img": "/pictures/x.webp",
    "trackingUrl": "https://track.example.com/1",
    "vin": "1HGCM82633A004352",
    "kind": "own",
    "make": "Honda",
    "model": "Accord",
    "year": "2003",
    "provider": "stripe",
    "category": "BRAKES",
    "number": "DL-TC-2044",
    "vehicle": "1",
    "q": "disc",
    "limit": "5",
    "days": "30",
    "sort": "newest",
}
UNMARKED = {"boolean": True, "integer": 50, "number": 12.5}


class Description:
    """The description, and how many marks it gave."""

    def __init__(self, document, ids):
        self.document, self.ids = document, ids

    def schema(self, one):
        return self.document["components"]["schemas"][one["$ref"].rsplit("/", 1)[1]] if "$ref" in one else one

    def value(self, one, name="", depth=0):
        """A value of a schema, with a mark on every text in it. Numbers are parsed before anything else and cannot carry SQL."""
        one = self.schema(one)
        for several in ("oneOf", "anyOf"):
            if several in one:
                return self.value(next((each for each in one[several] if each.get("type") != "null"), {}), name, depth + 1)
        if "allOf" in one:
            parts = [self.value(each, name, depth + 1) for each in one["allOf"]]
            return {key: value for part in parts if isinstance(part, dict) for key, value in part.items()}
        kinds = one.get("type", "object")
        kind = next((each for each in ([kinds] if isinstance(kinds, str) else kinds) if each != "null"), "null")
        if kind == "object":
            members = one.get("properties", {}) if depth < 8 else {}
            return {key: self.value(each, key, depth + 1) for key, each in members.items()}
        if kind == "array":
            return [self.value(one.get("items", {}), name, depth + 1)]
        return self.text(name, one) + "*" if kind == "string" else UNMARKED.get(kind)

    def text(self, name, one):
        if one.get("enum"):
            return one["enum"][0]
        return self.ids.get(name) or SAMPLES.get(name, "abc")

    def request(self, shop, method, path, operation, headers):
        """The request of an operation, or None if there is nothing to be tried in it."""
        query = []
        for parameter in operation.get("parameters", []):
            name = parameter["name"]
            sample = self.text(name, parameter.get("schema", {}))
            if parameter["in"] == "path":
                known = self.ids.get(path.split("/")[1] + "/" + name) or (self.ids["any"] if name == "id" else sample)
                path = path.replace("{" + name + "}", known + "*")
            elif parameter["in"] == "query" and parameter.get("schema", {}).get("type") != "boolean":
                query.append(f"{name}={sample}*")
        body = operation.get("requestBody", {}).get("content", {}).get("application/json")
        sent = json.dumps(self.value(body["schema"])) if body else None
        url = shop + path + ("?" + "&".join(query) if query else "")
        request = Request(operation["operationId"], method.upper(), url, headers, sent)
        return request if request.marks else None

    def operations(self):
        """Each operation with its method and path; what removes comes last, so that the others find something."""
        every = [
            (method, path, operation)
            for path, methods in self.document["paths"].items()
            for method, operation in methods.items()
            if method in {"get", "post", "put", "patch", "delete"} and operation["operationId"] not in LEFT_OUT
        ]
        return sorted(every, key=lambda one: ["get", "post", "patch", "put", "delete"].index(one[0]))
