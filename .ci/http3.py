"""An application of ASGI for the tests of HTTP/3: `/version` is the version that the server speaks, `/echo` the body."""


async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    body = scope["http_version"].encode()
    if scope["path"] == "/echo":
        body, more = b"", True
        while more:
            event = await receive()
            body += event.get("body", b"")
            more = event.get("more_body", False)
    headers = [(b"content-type", b"text/plain" if scope["path"] == "/version" else b"application/octet-stream")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
