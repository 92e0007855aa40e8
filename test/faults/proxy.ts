import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { atTestEnd } from "../support/ending.ts";

/** A proxy that forwards every host to loopback, or refuses with `status`. */
export async function startProxy(status = 200) {
  const seen: { line: string; authorization: string | undefined; headers: IncomingMessage["headers"] }[] = [];
  const note = (request: IncomingMessage) => {
    const { headers } = request;
    seen.push({ line: `${request.method} ${request.url}`, authorization: headers["proxy-authorization"], headers });
  };
  const server = createServer((request, response) => {
    note(request);
    if (status !== 200) return response.writeHead(status).end();
    const { port, pathname } = new URL(request.url ?? "");
    const headers = { ...request.headers };
    delete headers["proxy-authorization"];
    const onward = httpRequest(
      { host: "127.0.0.1", port, path: pathname, method: request.method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(onward);
  });
  server.on("connect", (request: IncomingMessage, socket) => {
    note(request);
    socket.on("error", () => {});
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const onward = connect(Number(request.url?.split(":").at(-1)), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    atTestEnd(() => onward.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atTestEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
