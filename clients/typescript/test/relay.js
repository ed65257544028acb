// A relay of TCP connections to a server, which can break them off.

import { once } from "node:events";
import { connect, createServer } from "node:net";

export async function relay(address) {
  const { hostname, port } = new URL(address);
  const sockets = new Set();
  let loseAnswers = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
    }
    client.pipe(upstream);
    upstream.on("data", (data) => {
      if (loseAnswers === 0) return client.write(data);
      loseAnswers -= 1;
      client.destroy();
      upstream.destroy();
    });
    upstream.on("end", () => client.end());
    client.on("close", () => upstream.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    breakAll,
    /** The server answers the next request, but its answer is lost. */
    loseNextAnswer: () => {
      loseAnswers = 1;
    },
    close: () => {
      breakAll();
      server.close();
    },
  };
}
