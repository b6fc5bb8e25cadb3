/**
 * A stack's state in a file, for tests and demonstrations that go over several processes. It is
 * written only when an operation ends, so it has nothing of one whose process was killed. Secrets
 * are encrypted.
 */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { StackState } from "./state";
import { isObject, isSecret, mapElements, type Properties, SIGNATURE_KEY, secret } from "./values";

const FORMAT = 1;
const CIPHER = "aes-256-gcm";

/**
 * Content of the file: the state with its secrets as texts, and what their key is made with beside
 * the passphrase.
 */
interface Content {
  format: typeof FORMAT;
  salt: string;
  state: Properties;
}

/**
 * The salt of files that this process creates. One for all of them, as deriving a key takes longer
 * than most operations.
 */
const SALT = randomBytes(16).toString("base64");

/** Derived keys by salt and passphrase. */
const keys = new Map<string, Buffer>();

function keyOf(passphrase: string, salt: string): Buffer {
  const id = `${salt} ${passphrase}`;
  const key = keys.get(id) ?? scryptSync(passphrase, Buffer.from(salt, "base64"), 32);
  keys.set(id, key);

  return key;
}

/** The state of one stack in a file. */
export class StateFile {
  readonly #file: string;
  readonly #passphrase: string;
  #salt = SALT;

  /** @throws Error where there is no passphrase */
  constructor(file: string, passphrase: string | undefined = process.env.PULUMI_CONFIG_PASSPHRASE) {
    this.#file = file;
    if (!passphrase)
      throw new Error(
        `the state in ${file} needs a passphrase for its secrets: give \`passphrase\`, or set PULUMI_CONFIG_PASSPHRASE`,
      );

    this.#passphrase = passphrase;
  }

  /**
   * The state, or undefined where there is no such file yet.
   *
   * @throws Error where the file cannot be read or holds something else, or the passphrase is
   * another one
   */
  async load(): Promise<StackState | undefined> {
    let text: string;
    try {
      text = await readFile(this.#file, "utf8");
    } catch (error) {
      if (isObject(error) && error.code === "ENOENT") return undefined;
      throw error;
    }

    const { salt, state } = parse(text, this.#file);

    this.#salt = salt;

    return map(state, (value) =>
      isEncrypted(value) ? secret(JSON.parse(this.#decrypt(value.ciphertext))) : value,
    );
  }

  /** Writes the state in one step: a reader sees the old one or the new one, never a part. */
  async save(state: StackState): Promise<void> {
    const encrypted = map(state, (value) =>
      isSecret(value)
        ? { [SIGNATURE_KEY]: ENCRYPTED, ciphertext: this.#encrypt(JSON.stringify(value.value)) }
        : value,
    );

    const content = {
      format: FORMAT,
      salt: this.#salt,
      state: encrypted,
    };

    const temporary = `${this.#file}.${process.pid}.tmp`;

    await mkdir(path.dirname(this.#file), { recursive: true });
    await writeFile(temporary, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
    await rename(temporary, this.#file);
  }

  #encrypt(text: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv(CIPHER, keyOf(this.#passphrase, this.#salt), nonce);
    const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);

    return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString("base64");
  }

  #decrypt(text: string): string {
    const bytes = Buffer.from(text, "base64");
    const decipher = createDecipheriv(
      CIPHER,
      keyOf(this.#passphrase, this.#salt),
      bytes.subarray(0, 12),
    );

    decipher.setAuthTag(bytes.subarray(12, 28));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString(
        "utf8",
      );
    } catch {
      throw new Error(
        `the secrets in ${this.#file} were encrypted with another passphrase: give that one`,
      );
    }
  }
}

const ENCRYPTED = "encrypted";

function isEncrypted(value: unknown): value is { ciphertext: string } {
  return isObject(value) && value[SIGNATURE_KEY] === ENCRYPTED;
}

function parse(text: string, file: string): Content {
  try {
    const content: unknown = JSON.parse(text);
    if (isContent(content)) return content;
  } catch {
    // Not JSON at all.
  }

  throw new Error(
    `${file} is not a state file of this version of the offline engine: use another stateFile`,
  );
}

function isContent(value: unknown): value is Content {
  return (
    isObject(value) &&
    value.format === FORMAT &&
    typeof value.salt === "string" &&
    isObject(value.state)
  );
}

/** A copy with every value converted, outer ones first. */
function map<T>(value: unknown, convert: (value: unknown) => unknown): T {
  const walk = (part: unknown): unknown => {
    const converted = convert(part);
    return converted === part ? mapElements(part, walk) : converted;
  };

  return walk(value) as T;
}
