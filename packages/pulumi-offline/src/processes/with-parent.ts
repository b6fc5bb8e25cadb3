/*
 * Loaded by Node before a script of the SDK (`node -r`). Plain JavaScript on purpose: from a checkout, Node reads this
 * very file.
 */

const { Socket } = require("node:net");

/*
 * Ends the process when the one that started it is gone. File descriptor 3 is a pipe whose other end closes with the
 * parent, however that went; an `exit` handler there would miss a kill, and inside Jest it would not run at all.
 */
const parent = new Socket({ fd: 3 });
parent.on("error", () => {});
parent.on("close", () => process.exit(1));
parent.resume();
parent.unref();
