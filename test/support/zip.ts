import { crc32, deflateRawSync } from "node:zlib";

/** An entry of a zip archive, which may be inconsistent. */
export interface ZipEntry {
  name: string | Buffer;
  content?: string | Buffer;
  /** Unix mode with its type, such as 0o120777 for a link. */
  mode?: number;
  /** The unpacked size in the directory. */
  size?: number;
  crc?: number;
  encrypted?: boolean;
  /** Share the bytes of the entry with this index. */
  sameAs?: number;
}

/** Writes a zip archive byte by byte, so that it may contain what no library would write. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const bodies: Buffer[] = [];
  const offsets: number[] = [];
  const packed: Buffer[] = [];
  let at = 0;
  for (const [index, entry] of entries.entries()) {
    const data = deflateRawSync(Buffer.from(entry.content ?? ""));
    packed.push(entry.sameAs === undefined ? data : (packed[entry.sameAs] ?? data));
    offsets.push(entry.sameAs === undefined ? at : (offsets[entry.sameAs] ?? 0));
    if (entry.sameAs !== undefined) continue;
    const local = Buffer.concat([header(0x04034b50, 30, entry, packed[index] ?? data), nameOf(entry), data]);
    bodies.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(
    entries.map((entry, index) => {
      const record = header(0x02014b50, 46, entry, packed[index] ?? Buffer.alloc(0));
      record.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 38);
      record.writeUInt32LE(offsets[index] ?? 0, 42);
      return Buffer.concat([record, nameOf(entry)]);
    }),
  );
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, directory, end]);
}

function nameOf({ name }: ZipEntry): Buffer {
  return Buffer.from(name);
}

/** What a local header and a record of the directory have in common, the latter two bytes further on. */
function header(signature: number, length: number, entry: ZipEntry, packed: Buffer): Buffer {
  const content = Buffer.from(entry.content ?? "");
  const bytes = Buffer.alloc(length);
  bytes.writeUInt32LE(signature, 0);
  const base = length === 46 ? 6 : 4;
  // Made by Unix: the upper half of the attributes is a mode.
  if (length === 46) bytes.writeUInt16LE((3 << 8) | 20, 4);
  bytes.writeUInt16LE(20, base);
  bytes.writeUInt16LE(0x800 | (entry.encrypted ? 1 : 0), base + 2);
  bytes.writeUInt16LE(8, base + 4);
  bytes.writeUInt16LE(0x6000, base + 6);
  bytes.writeUInt16LE(0x5a21, base + 8);
  bytes.writeUInt32LE(entry.crc ?? crc32(content), base + 10);
  bytes.writeUInt32LE(packed.length, base + 14);
  bytes.writeUInt32LE(entry.size ?? content.length, base + 18);
  bytes.writeUInt16LE(nameOf(entry).length, base + 22);
  return bytes;
}
