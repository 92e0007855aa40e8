import type { Http } from "../../local-http.ts";

/** Node's HTTP, loaded at the point of use: few commands serve or relay anything. */
export const nodeHttp: Http = {
  async listen(port, limits, service) {
    const { serve } = await import("./server.ts");
    return serve(port, limits, service);
  },
  async relay(url, request, limits) {
    const { relay } = await import("./relay.ts");
    return relay(url, request, limits);
  },
};
