/** In place of what undici has of browsers' interfaces, from fetch to WebSocket: nothing here uses it. */
module.exports = { CacheStorage: class {} };
