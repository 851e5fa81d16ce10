type Message = string | number[] | Uint8Array;

interface Hash {
  array(message: Message): number[];
  hmac: { array(key: Message, message: Message): number[] };
}

export const sha256: Hash;
