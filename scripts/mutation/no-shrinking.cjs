/** A property that fails is enough; its shortest example takes many runs more. */
require("fast-check").configureGlobal({ endOnFailure: true });
