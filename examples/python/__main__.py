import pulumi
import pulumi_domain_monitoring as monitoring

config = pulumi.Config()
slack_url = config.require_secret("slackUrl")

# Lookup by name is experimental. If your service lacks it, pass `id` instead of `domain`.
domain = monitoring.get_domain_output(domain=config.require("domainName"))

# Fails with one line if the registration does not last long enough. Channels that take the domain's id from its result are
# then not created, even by an update without a preview.
expiry = monitoring.require_domain_expiry_output(id=domain.id, minimum_days=30)

# The stack's own account: stack config `domain-monitoring:...`, or the environment.
on_call = monitoring.NotificationChannel(
    "on-call",
    domain_id=expiry.domain_id,
    label="On-call",
    type=monitoring.ChannelType.SLACK,
    value=slack_url,
)

# A channel without a destination: omit `value`.
pager = monitoring.NotificationChannel(
    "pager",
    domain_id=expiry.domain_id,
    label="Pager",
    type=monitoring.ChannelType.PUSHOVER,
    whois_notifications_enabled=False,
)

dns = monitoring.get_dns_changes_output(domain_id=domain.id, limit=5)

# The other account. Everything without this provider uses the stack's own account.
subsidiary = monitoring.Provider(
    "subsidiary",
    base_url=config.require("subsidiaryUrl"),
    api_token=config.require_secret("subsidiaryToken"),
)
subsidiary_domain = monitoring.get_domain_output(
    domain=config.require("subsidiaryDomainName"),
    opts=pulumi.InvokeOutputOptions(provider=subsidiary),
)
subsidiary_on_call = monitoring.NotificationChannel(
    "subsidiary-on-call",
    domain_id=subsidiary_domain.id,
    label="On-call",
    type=monitoring.ChannelType.SLACK,
    value=slack_url,
    opts=pulumi.ResourceOptions(provider=subsidiary),
)

pulumi.export(
    "channelIds",
    {
        "onCall": on_call.id,
        "pager": pager.id,
        "subsidiary": subsidiary_on_call.id,
    },
)
pulumi.export(
    "expiresAt",
    {"own": expiry.expires_at, "subsidiary": subsidiary_domain.expires_at},
)
pulumi.export("renewBy", expiry.act_by)
pulumi.export(
    "dnsChanges",
    dns.changes.apply(lambda changes: [change.change_summary for change in changes]),
)
