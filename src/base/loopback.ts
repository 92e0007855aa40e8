/** Whether a host is this machine: `localhost` and names below it, 127.0.0.0/8, ::1, and IPv4 written in IPv6. */
export function isLoopback({ hostname }: URL): boolean {
  const host = hostname.replace(/\.$/, "");
  return host === "localhost" || host.endsWith(".localhost") || /^127(?:\.\d+){3}$/.test(host) || isLoopback6(host);
}

function isLoopback6(host: string): boolean {
  return host === "[::1]" || /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/.test(host);
}
