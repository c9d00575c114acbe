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


def kinds_of(schema):
    """The types that a schema allows."""
    kinds = schema.get("type", [])
    return [kinds] if isinstance(kinds, str) else kinds


def without(body, places):
    """A body without the members that were refused, such as `address.city` or `lines[0].note`."""
    for place in places:
        *path, last = [int(part) if part.isdigit() else part for part in place.replace("[", ".").replace("]", "").split(".")]
        holder = body
        for part in path:
            known = isinstance(holder, dict) and part in holder or isinstance(holder, list) and part in range(len(holder))
            holder = holder[part] if known else None
        if isinstance(holder, dict):
            holder.pop(last, None)
    return body


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

    def requests(self, shop, method, path, operation, headers):
        """What is tried of an operation: its path and body at once, and each text of its query by itself, because one that is
        refused would keep the others from being looked at."""
        marked, queries, needed = path, [], []
        for parameter in operation.get("parameters", []):
            name, schema = parameter["name"], parameter.get("schema", {})
            sample = self.text(name, schema)
            if parameter["in"] == "path":
                known = self.ids.get(path.split("/")[1] + "/" + name) or (self.ids["any"] if name == "id" else sample)
                path, marked = path.replace("{" + name + "}", known), marked.replace("{" + name + "}", known + "*")
            elif parameter["in"] == "query":
                if parameter.get("required"):
                    needed.append((name, sample))
                if not {"boolean", "integer", "number"} & set(kinds_of(schema)):
                    queries.append((name, sample))
        name, verb = operation["operationId"], method.upper()
        body = operation.get("requestBody", {}).get("content", {}).get("application/json")
        sent = self.value(body["schema"]) if body else None
        always = "?" + "&".join(f"{key}={value}" for key, value in needed) if needed else ""
        found = [Request(name, verb, shop + marked + always, headers, json.dumps(sent) if body else None)]
        for key, value in queries:
            others = "".join(f"&{other}={there}" for other, there in needed if other != key)
            plain = json.dumps(sent).replace("*", "") if body else None
            found.append(Request(f"{name} by {key}", verb, f"{shop}{path}?{key}={value}*{others}", headers, plain))
        return [request for request in found if request.marks]

    def operations(self):
        """Each operation with its method and path; what removes comes last, so that the others find something."""
        every = [
            (method, path, operation)
            for path, methods in self.document["paths"].items()
            for method, operation in methods.items()
            if method in {"get", "post", "put", "patch", "delete"} and operation["operationId"] not in LEFT_OUT
        ]
        return sorted(every, key=lambda one: ["get", "post", "patch", "put", "delete"].index(one[0]))
