/** In place of zod's messages in fifty languages; it loads its English ones itself. */
module.exports = {};
