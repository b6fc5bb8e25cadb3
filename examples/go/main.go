package main

import (
	monitoring "github.com/REPLACE_WITH_OWNER/pulumi-domain-monitoring/sdk/go/domainmonitoring"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		domainName := cfg.Require("domainName")
		slackURL := cfg.RequireSecret("slackUrl")

		// Lookup by name is experimental. If your service lacks it, pass `Id` instead of `Domain`.
		domain, err := monitoring.LookupDomain(ctx, &monitoring.LookupDomainArgs{Domain: &domainName})
		if err != nil {
			return err
		}

		// Fails with one line if the registration does not last long enough. Channels that take the domain's id from its
		// result are then not created, even by an update without a preview.
		expiry, err := monitoring.RequireDomainExpiry(ctx, &monitoring.RequireDomainExpiryArgs{
			Id:          &domain.Id,
			MinimumDays: 30,
		})
		if err != nil {
			return err
		}

		// The stack's own account: stack config `domain-monitoring:...`, or the environment.
		onCall, err := monitoring.NewNotificationChannel(ctx, "on-call", &monitoring.NotificationChannelArgs{
			DomainId: pulumi.String(expiry.DomainId),
			Label:    pulumi.String("On-call"),
			Type:     monitoring.ChannelTypeSlack,
			Value:    slackURL,
		})
		if err != nil {
			return err
		}

		// A channel without a destination: omit `Value`.
		pager, err := monitoring.NewNotificationChannel(ctx, "pager", &monitoring.NotificationChannelArgs{
			DomainId:                  pulumi.String(expiry.DomainId),
			Label:                     pulumi.String("Pager"),
			Type:                      monitoring.ChannelTypePushover,
			WhoisNotificationsEnabled: pulumi.Bool(false),
		})
		if err != nil {
			return err
		}

		limit := 5
		dns, err := monitoring.GetDnsChanges(ctx, &monitoring.GetDnsChangesArgs{
			DomainId: domain.Id,
			Limit:    &limit,
		})
		if err != nil {
			return err
		}
		var changes pulumi.StringArray
		for _, change := range dns.Changes {
			if change.ChangeSummary != nil {
				changes = append(changes, pulumi.String(*change.ChangeSummary))
			}
		}

		// The other account. Everything without this provider uses the stack's own account.
		subsidiary, err := monitoring.NewProvider(ctx, "subsidiary", &monitoring.ProviderArgs{
			BaseUrl:  pulumi.String(cfg.Require("subsidiaryUrl")),
			ApiToken: cfg.RequireSecret("subsidiaryToken"),
		})
		if err != nil {
			return err
		}
		subsidiaryDomain := monitoring.LookupDomainOutput(ctx, monitoring.LookupDomainOutputArgs{
			Domain: pulumi.String(cfg.Require("subsidiaryDomainName")),
		}, pulumi.Provider(subsidiary))
		subsidiaryOnCall, err := monitoring.NewNotificationChannel(ctx, "subsidiary-on-call",
			&monitoring.NotificationChannelArgs{
				DomainId: subsidiaryDomain.Id(),
				Label:    pulumi.String("On-call"),
				Type:     monitoring.ChannelTypeSlack,
				Value:    slackURL,
			}, pulumi.Provider(subsidiary))
		if err != nil {
			return err
		}

		ctx.Export("channelIds", pulumi.StringMap{
			"onCall":     onCall.ID(),
			"pager":      pager.ID(),
			"subsidiary": subsidiaryOnCall.ID(),
		})
		ctx.Export("expiresAt", pulumi.Map{
			"own":        pulumi.StringPtrFromPtr(expiry.ExpiresAt),
			"subsidiary": subsidiaryDomain.ExpiresAt(),
		})
		ctx.Export("renewBy", pulumi.StringPtrFromPtr(expiry.ActBy))
		ctx.Export("dnsChanges", changes)
		return nil
	})
}
