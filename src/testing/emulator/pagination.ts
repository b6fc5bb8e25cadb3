/** One page of a list, with its links and its numbers (interface.md, section 2.5). */

/** Which page of what. */
export interface PageOf<Item> {
  /** Everything there is, in the order of the list. */
  items: readonly Item[];
  page: number;
  perPage: number;
  /** Absolute address of the list, without a query. */
  address: string;
}

/** The envelope. A page beyond the last one is empty, and its `prev` is the last one there is. */
export function paginate<Item>({ items, page, perPage, address }: PageOf<Item>) {
  const skipped = (page - 1) * perPage;
  const data = items.slice(skipped, skipped + perPage);
  const lastPage = Math.max(1, Math.ceil(items.length / perPage));
  const link = (target: number) => `${address}?per_page=${perPage}&page=${target}`;
  return {
    data,
    links: {
      first: link(1),
      last: link(lastPage),
      prev: page > 1 ? link(Math.min(page - 1, lastPage)) : null,
      next: page < lastPage ? link(page + 1) : null,
    },
    meta: {
      current_page: page,
      from: data.length === 0 ? null : skipped + 1,
      last_page: lastPage,
      per_page: perPage,
      to: data.length === 0 ? null : skipped + data.length,
      total: items.length,
    },
  };
}
