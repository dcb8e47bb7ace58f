# olddefconfig: the last value of each known symbol whose dependency is met.
kconfig=$1 config=$2
value() {
	sed -n "s/^CONFIG_$1=//p" "$config" | tail -n 1
}
for name in $(sed -n 's/^config //p' "$kconfig"); do
	need=$(sed -n "/^config $name\$/,/^\$/s/^\tdepends on //p" "$kconfig")
	v=$(value "$name")
	if [ -n "$need" ] && [ "$(value "$need")" != y ]; then
		v=
	fi
	case $v in
	'' | n) echo "# CONFIG_$name is not set" ;;
	*) echo "CONFIG_$name=$v" ;;
	esac
done >"$config.new"
mv "$config.new" "$config"
