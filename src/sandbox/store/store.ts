import { Blobs } from "./blobs.ts";

/** Every stored record has an integer `id`; records with another key store it in a field. */
export interface Row {
  readonly id: number;
}

/** Names a table of the store and its row type: `const hooks = collection<Hook>("hooks")`. */
export interface Collection<T extends Row> {
  readonly name: string;
  /** Never set: it only binds the type to the name. */
  readonly row?: T;
}

export function collection<T extends Row>(name: string): Collection<T> {
  return { name };
}

/** Names a single value of the store, such as the instance settings. */
interface Cell<T> {
  readonly name: string;
  readonly initial: () => T;
}

const cells = new Map<string, () => unknown>();

export function cell<T>(name: string, initial: () => T): Cell<T> {
  cells.set(name, initial);
  return { name, initial };
}

/** What the value of this name begins with; undefined for a name that no area has. */
export function initialOf(name: string): unknown {
  return cells.get(name)?.();
}

type NewRow<T extends Row> = Omit<T, "id"> & { readonly id?: number };

/** Rows by id, in insertion order. Rows are replaced and never modified in place, so that no change is missed. */
export class Table<T extends Row> {
  readonly #rows = new Map<number, T>();
  readonly #changed: () => void;
  #nextId = 1;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: number): T | undefined {
    return this.#rows.get(id);
  }

  all(): T[] {
    return [...this.#rows.values()];
  }

  where(test: (row: T) => boolean): T[] {
    return this.all().filter(test);
  }

  find(test: (row: T) => boolean): T | undefined {
    for (const row of this.#rows.values()) {
      if (test(row)) return row;
    }
    return undefined;
  }

  /** Adds a row under its own id, or the next free one: ids are never reused, even after a delete. */
  insert(row: NewRow<T>): T {
    const id = row.id ?? this.#nextId;
    const added = { ...row, id } as unknown as T;
    this.#nextId = Math.max(this.#nextId, id + 1);
    this.#rows.set(id, added);
    this.#changed();
    return added;
  }

  /** Replaces fields of a row and returns the new row. The row must exist. */
  update(id: number, fields: Partial<Omit<T, "id">>): T {
    const row = this.#rows.get(id);
    if (row === undefined) throw new RangeError(`no row ${id} to update`);
    const updated = { ...row, ...fields };
    this.#rows.set(id, updated);
    this.#changed();
    return updated;
  }

  delete(id: number): boolean {
    const existed = this.#rows.delete(id);
    if (existed) this.#changed();
    return existed;
  }

  /** The rows and the next id, for the data file. */
  dump(): { nextId: number; rows: T[] } {
    return { nextId: this.#nextId, rows: this.all() };
  }

  restore(nextId: number, rows: readonly T[]): void {
    this.#rows.clear();
    for (const row of rows) this.#rows.set(row.id, row);
    this.#nextId = nextId;
  }
}

/** The state of a sandbox: tables of rows, single values, and binary contents. */
export class Store {
  readonly blobs: Blobs;
  /** Called after every change; the data file listens here. */
  onChange: () => void = () => {};
  readonly #tables = new Map<string, Table<Row>>();
  readonly #values = new Map<string, unknown>();

  constructor() {
    this.blobs = new Blobs(() => this.onChange());
  }

  table<T extends Row>(of: Collection<T>): Table<T> {
    let table = this.#tables.get(of.name);
    if (table === undefined) {
      table = new Table<Row>(() => this.onChange());
      this.#tables.set(of.name, table);
    }
    return table as unknown as Table<T>;
  }

  get<T>(of: Cell<T>): T {
    if (!this.#values.has(of.name)) this.#values.set(of.name, of.initial());
    return this.#values.get(of.name) as T;
  }

  set<T>(of: Cell<T>, value: T): T {
    this.#values.set(of.name, value);
    this.onChange();
    return value;
  }

  tables(): ReadonlyMap<string, Table<Row>> {
    return this.#tables;
  }

  values(): ReadonlyMap<string, unknown> {
    return this.#values;
  }
}
