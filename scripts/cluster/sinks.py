"""The world outside the shop: a mail server and a receiver of webhooks that note every delivery.

    sinks.py MAIL_PORT HOOK_PORT FOLDER
"""

import asyncio
import pathlib
import sys

from aiohttp import web


async def mail_session(reader, writer, note):
    """One SMTP session that takes whatever it gets and notes the Message-ID and the recipient."""

    def answer(text):
        writer.write(text.encode() + b"\r\n")

    try:
        answer("220 sink")
        recipient = ""
        while line := (await reader.readline()).decode("utf8", "replace").strip():
            command = line.split(" ")[0].upper()
            if command == "EHLO":
                answer("250-sink\r\n250 8BITMIME")
            elif command == "DATA":
                answer("354 go on")
                await writer.drain()
                note(f"{await message_id(reader)}\t{recipient}")
                answer("250 taken")
            elif command == "QUIT":
                answer("221 bye")
                break
            else:
                recipient = line if command == "RCPT" else recipient
                answer("250 ok")
            await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def message_id(reader):
    found = "none"
    while (line := await reader.readline()) not in (b".\r\n", b""):
        if line.lower().startswith(b"message-id:"):
            found = line.decode().split(":", 1)[1].strip()
    return found


async def main(mail_port, hook_port, folder):
    mails = open(pathlib.Path(folder) / "mails.tsv", "a", 1)
    hooks = open(pathlib.Path(folder) / "hooks.tsv", "a", 1)

    async def hook(request):
        await request.read()
        hooks.write(f"{request.headers.get('webhook-id')}\n")
        return web.Response(status=204)

    application = web.Application()
    application.router.add_post("/hook", hook)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", hook_port).start()
    server = await asyncio.start_server(
        lambda reader, writer: mail_session(reader, writer, lambda line: mails.write(line + "\n")), "127.0.0.1", mail_port
    )
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
