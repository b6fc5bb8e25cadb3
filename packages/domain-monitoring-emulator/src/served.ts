/** The operations, and how the emulator is started for those that are not always served. */
export const LISTED = "with the list of domains";
export const MANAGED = "with the lifecycle managed";

export const OPERATIONS = {
  getDomain: undefined,
  listWhoisChanges: undefined,
  listDnsChanges: undefined,
  createNotificationChannel: undefined,
  listDomains: LISTED,
  createDomain: MANAGED,
  updateDomain: MANAGED,
  listNotificationChannels: MANAGED,
  getNotificationChannel: MANAGED,
  updateNotificationChannel: MANAGED,
  deleteNotificationChannel: MANAGED,
};
