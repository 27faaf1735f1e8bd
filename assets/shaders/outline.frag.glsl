// The outline of what is selected (red in the mask) and of what is hovered (green), over everything.
in vec2 uv;
uniform sampler2D mask;
uniform vec2 texel;
uniform vec3 radii;         // device px: half widths of outline, halo, hover
uniform vec3 line_color;
uniform vec4 halo_color;
uniform vec3 hover_color;
out vec4 color;

// 1 where the border of the mask runs within a distance, by comparing what lies on a ring with the middle.
const vec2 RING[12] = vec2[12](
    vec2(1.0, 0.0), vec2(0.866, 0.5), vec2(0.5, 0.866), vec2(0.0, 1.0), vec2(-0.5, 0.866), vec2(-0.866, 0.5),
    vec2(-1.0, 0.0), vec2(-0.866, -0.5), vec2(-0.5, -0.866), vec2(0.0, -1.0), vec2(0.5, -0.866), vec2(0.866, -0.5));

vec2 border(float radius, vec2 low, vec2 high) {
    for (int k = 0; k < 12; k++) {
        vec2 value = texture(mask, uv + radius * texel * RING[k]).rg;
        low = min(low, value);
        high = max(high, value);
    }
    return high - low;
}

void main() {
    vec2 here = texture(mask, uv).rg;
    vec2 inner = border(radii.x, here, here);
    float wide = max(border(radii.y, here, here).r, inner.r);
    float hover = border(radii.z, here, here).g * (1.0 - here.r);
    vec4 ink = vec4(halo_color.rgb, halo_color.a * wide);
    ink = mix(ink, vec4(line_color, 1.0), inner.r);
    if (hover > ink.a) ink = vec4(hover_color, hover);
    color = ink;
}
