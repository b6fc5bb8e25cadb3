"use strict";
// A compressed tar file (ustar) that depends on nothing but its contents: no date, no owner, the
// order given.
const { gzipSync } = require("node:zlib");

/** @param files {{ name: string; data: Buffer; mode: number }[]} */
function tarball(files) {
  const blocks = files.flatMap(({ name, data, mode }) => [
    header(name, data.length, mode),
    padded(data),
  ]);
  const packed = gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]), { level: 9 });
  // The one byte that names the system it was packed on.
  packed[9] = 255;
  return packed;
}

function header(name, size, mode) {
  const block = Buffer.alloc(512);
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, "0")}\0`;
  block.write(name, 0);
  block.write(octal(mode, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(0, 12), 136);
  block.write("        0", 148);
  block.write("ustar\x0000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

function padded(data) {
  return Buffer.concat([data, Buffer.alloc((512 - (data.length % 512)) % 512)]);
}

module.exports = { tarball };
